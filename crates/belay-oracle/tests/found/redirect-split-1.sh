#shell bash
#does write /home/dev/p/b.t1
x=' b'; > $x.t1
