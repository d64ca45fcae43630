#shell bash
#does write /home/dev/p/b.t1
> $({ echo b >&2;} 2>&1).t1
