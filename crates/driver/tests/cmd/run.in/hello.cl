__kernel void hello(int n) {
    if (get_global_id(0) == 0)
        printf("%d work-items, %s\n", n * (int)get_global_size(0), "hello");
}
