// From process start to the first answer. Argument: a model of shape 1x4.
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: torch4j-bench-first model\n";
    return 1;
  }
  c10::InferenceMode inference;
  torch::jit::Module module = torch::jit::load(argv[1]);
  std::cout << module.forward({at::ones({1, 4})}).toTensor().numel() << std::endl;
}
