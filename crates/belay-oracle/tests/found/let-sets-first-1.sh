#shell bash
#does delete /home/dev/p/u1.-1  (by call 1)
n=1 m=0; let 'n=m--+n/$(echo 1)' 'm=n*2'; rid 1 "u$n.$m"
