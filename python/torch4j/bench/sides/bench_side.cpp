// The C++ side of torch4j bench. Arguments: model, inputs, method, intra-op threads.
//
// Every side speaks the same lines: python_side.py tells them.
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kMaxCalls = 1000000;
constexpr int kFirstCalls = 3;

using Clock = std::chrono::steady_clock;

int64_t since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

void say(const std::string& line) { std::cout << "torch4j-bench " << line << std::endl; }

class Side {
 public:
  Side(const std::string& model, const std::string& inputs, const std::string& method)
      : module_(load(model)),
        method_(module_.get_method(method)),
        inputs_(load(inputs).attr("args").toTupleRef().elements().vec()) {}

  int64_t call() {
    auto start = Clock::now();
    {
      c10::InferenceMode inference;
      method_(inputs_);
    }
    return since(start);
  }

  std::vector<int64_t> calls(int64_t nanos) {
    std::vector<int64_t> times;
    times.reserve(kMaxCalls);
    for (auto start = Clock::now(); since(start) < nanos && times.size() < kMaxCalls;) {
      times.push_back(call());
    }
    return times;
  }

  std::string throughput(int threads, int64_t nanos) {
    std::atomic<int64_t> count{0};
    std::vector<std::exception_ptr> errors(threads);
    std::vector<std::thread> callers;
    auto start = Clock::now();
    for (int i = 0; i < threads; i++) {
      callers.emplace_back([&, i] { callFor(start, nanos, count, errors[i]); });
    }
    for (auto& caller : callers) {
      caller.join();
    }
    int64_t took = since(start);
    for (const auto& error : errors) {
      if (error) std::rethrow_exception(error);
    }
    return std::to_string(count) + " " + std::to_string(took);
  }

 private:
  static torch::jit::Module load(const std::string& path) {
    auto module = torch::jit::load(path);
    module.eval();
    return module;
  }

  void callFor(Clock::time_point start, int64_t nanos, std::atomic<int64_t>& count,
               std::exception_ptr& error) {
    int64_t own = 0;
    try {
      while (since(start) < nanos) {
        call();
        own++;
      }
    } catch (...) {
      error = std::current_exception();
    }
    count += own;
  }

  torch::jit::Module module_;
  torch::jit::Method method_;
  std::vector<c10::IValue> inputs_;
};

void write(const std::string& path, const std::vector<int64_t>& times) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(times.data()), times.size() * sizeof(int64_t));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void answer(Side& side, const std::string& line) {
  std::istringstream words(line);
  std::string command;
  int64_t nanos = 0;
  words >> command >> nanos;
  if (command == "calls") {
    std::string path;
    std::getline(words >> std::ws, path);
    write(path, side.calls(nanos));
    say("done");
  } else {
    int threads = 0;
    words >> threads;
    say(side.throughput(threads, nanos));
  }
}

void run(char** argv) {
  at::set_num_threads(std::atoi(argv[4]));
  Side side(argv[1], argv[2], argv[3]);
  std::string first = std::to_string(side.call());
  say("answered");
  for (int i = 1; i < kFirstCalls; i++) {
    first += " " + std::to_string(side.call());
  }
  say(first);
  for (std::string line; std::getline(std::cin, line);) {
    answer(side, line);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 5) throw std::runtime_error("usage: bench_side model inputs method threads < lines");
    run(argv);
  } catch (const std::exception& error) {
    std::string text = error.what();
    std::cerr << text.substr(0, text.find('\n')) << std::endl;
    return 1;
  }
}
