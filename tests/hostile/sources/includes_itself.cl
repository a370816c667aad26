#include "includes_itself.cl"
