#include "viewer/cli/program.h"

int main(int argc, char** argv) { return cairn::cli::RunProgram({argv + (argc > 0 ? 1 : 0), argv + argc}); }
