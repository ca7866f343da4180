// The C++ side of the benchmark as a program of its own. Arguments: model, shape such as 1x4, threads, calls.
// For each line on its input it prints the nanoseconds per call of one round.
#include <ATen/Parallel.h>

#include <cstdlib>
#include <iostream>

#include "loop.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: torch4j-bench-cpp model shape threads calls < lines\n";
    return 1;
  }
  at::set_num_threads(std::atoi(argv[3]));
  Loop loop(argv[1], argv[2]);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << loop.nanosPerCall(std::atoi(argv[4])) << std::endl;
  }
}
