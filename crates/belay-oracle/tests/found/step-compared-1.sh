#shell bash
#does delete /home/dev/p/t3  (by call 1)
n=2; : $((n++==2)); rid 1 "t$n"
