// The C++ side of the benchmark as a program of its own. Arguments: model, mode, shape such as 1x4, option,
// intra-op threads, calls. For each line on its input it prints one round: mean, p99 and least nanoseconds
// per call; for a line with a number, the calls per second of so many threads.
#include <ATen/Parallel.h>

#include <cstdlib>
#include <iostream>

#include "loop.h"

int main(int argc, char** argv) {
  if (argc != 7) {
    std::cerr << "usage: torch4j-bench-cpp model mode shape option threads calls < lines\n";
    return 1;
  }
  at::set_num_threads(std::atoi(argv[5]));
  int calls = std::atoi(argv[6]);
  Loop loop(argv[1], argv[2], argv[3], argv[4]);
  for (std::string line; std::getline(std::cin, line);) {
    if (int threads = std::atoi(line.c_str()); threads > 0) {
      std::cout << loop.throughput(threads) << std::endl;
    } else {
      Round round = loop.round(calls);
      std::cout << round.mean << ' ' << round.p99 << ' ' << round.least << std::endl;
    }
  }
}
