#shell bash
#does delete /home/dev/p/t0  (by call 1)
#does delete /home/dev/p/u3  (by call 2)
for (( n=0; n++<2; )); do :; done; rid 1 "t$((n-3))"; rid 2 "u$n"
