// The loop that stands for C++ in the benchmark: alone in a program, and inside the JVM beside Java's.
#pragma once

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using Nanos = std::chrono::duration<double, std::nano>;

/// What one round found, in nanoseconds per call.
struct Round {
  double mean = 0;
  double p99 = 0;
  double least = 0;
};

class Loop {
 public:
  /// mode: tensor, floats, kept or values; option: plain, freeze or optimize.
  Loop(const std::string& path, const std::string& mode, const std::string& shape, const std::string& option)
      : shape_(parseShape(shape)) {
    c10::InferenceMode inference;
    module_ = torch::jit::load(path);
    module_.eval();
    if (option != "plain") {
      module_ = torch::jit::freeze(module_);
    }
    if (option == "optimize") {
      module_ = torch::jit::optimize_for_inference(module_);
    }
    input_ = at::ones(shape_);
    in_.assign(static_cast<size_t>(input_.numel()), 1.0F);
    call_ = callFor(mode);
  }

  Round round(int calls) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) {
      call_();
    }
    Round found;
    found.mean = Nanos(std::chrono::steady_clock::now() - start).count() / calls;
    sample(found, std::min(calls, 200));
    return found;
  }

  /// Calls per second of all threads together. Each calls for kWindow with an input of its own, and counts
  /// for itself, so that none waits at the end for one that was disturbed.
  double throughput(int threads) {
    auto start = std::chrono::steady_clock::now();
    std::vector<double> rates(static_cast<size_t>(threads));
    std::vector<std::thread> workers;
    for (double& rate : rates) {
      workers.emplace_back([this, start, &rate, input = input_.clone()] {
        int64_t calls = 0;
        Nanos elapsed{};
        do {
          tensor(input);
          calls++;
          elapsed = std::chrono::steady_clock::now() - start;
        } while (elapsed < kWindow);
        rate = 1e9 * static_cast<double>(calls) / elapsed.count();
      });
    }
    for (auto& worker : workers) {
      worker.join();
    }
    return std::accumulate(rates.begin(), rates.end(), 0.0);
  }

 private:
  static constexpr std::chrono::milliseconds kWindow{500};

  std::function<void()> callFor(const std::string& mode) {
    if (mode == "tensor") {
      return [this] { tensor(input_); };
    }
    if (mode == "floats") {
      return [this] { floats(at::empty(shape_)); };
    }
    if (mode == "kept") {
      return [this] { floats(input_); };
    }
    if (mode == "values") {
      return [this] { values(); };
    }
    throw std::invalid_argument("no mode " + mode);
  }

  void tensor(const at::Tensor& input) {
    c10::InferenceMode inference;
    at::Tensor output = module_.forward({input}).toTensor();
  }

  void floats(const at::Tensor& input) {
    c10::InferenceMode inference;
    std::memcpy(input.mutable_data_ptr(), in_.data(), in_.size() * sizeof(float));
    at::Tensor output = module_.forward({input}).toTensor().contiguous();
    out_.resize(static_cast<size_t>(output.numel()));
    std::memcpy(out_.data(), output.const_data_ptr(), out_.size() * sizeof(float));
  }

  void values() {
    c10::InferenceMode inference;
    c10::Dict<std::string, at::Tensor> named;
    for (const char* name : {"a", "b", "c"}) {
      named.insert(name, input_);
    }
    c10::List<int64_t> numbers({1, 2, 3, 4});
    auto result = module_.forward({named, numbers}).toTuple();
    total_ += result->elements()[0].toGenericDict().size() + result->elements()[1].toIntVector().size();
  }

  void sample(Round& found, int calls) {
    std::vector<double> times;
    for (int i = 0; i < calls; i++) {
      auto start = std::chrono::steady_clock::now();
      call_();
      times.push_back(Nanos(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    found.p99 = times[times.size() * 99 / 100];
    found.least = times.front();
  }

  static std::vector<int64_t> parseShape(const std::string& text) {
    std::vector<int64_t> shape;
    std::istringstream in(text);
    for (std::string size; std::getline(in, size, 'x');) {
      shape.push_back(std::stoll(size));
    }
    return shape;
  }

  std::vector<int64_t> shape_;
  torch::jit::Module module_;
  at::Tensor input_;
  std::vector<float> in_;
  std::vector<float> out_;
  std::function<void()> call_;
  size_t total_ = 0;
};
