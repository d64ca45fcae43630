#shell bash
#does delete /home/dev/p/u1.0  (by call 1)
n=1 m=0; let 'n=-$n' && :; rid 1 "u$n.$m"
