// The loop that stands for C++ in the benchmark: alone in a program, and inside the JVM beside Java's.
#pragma once

#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <chrono>
#include <sstream>
#include <string>
#include <vector>

class Loop {
 public:
  Loop(const std::string& path, const std::string& shape) {
    c10::InferenceMode inference;
    module_ = torch::jit::load(path);
    module_.eval();
    input_ = at::ones(parseShape(shape));
  }

  double nanosPerCall(int calls) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) {
      c10::InferenceMode inference;
      at::Tensor output = module_.forward({input_}).toTensor();
    }
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    return took.count() / calls;
  }

 private:
  static std::vector<int64_t> parseShape(const std::string& text) {
    std::vector<int64_t> shape;
    std::istringstream in(text);
    for (std::string size; std::getline(in, size, 'x');) {
      shape.push_back(std::stoll(size));
    }
    return shape;
  }

  torch::jit::Module module_;
  at::Tensor input_;
};
