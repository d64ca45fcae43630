#shell bash
#does write /home/dev/q.t1
x=../q E=x
x=${ }
> "${!E}".t1
