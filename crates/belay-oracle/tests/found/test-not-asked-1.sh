#shell bash
#does delete /home/dev/p/t1  (by call 1)
unset x; y=a; [[ -n $y || -n ${x:=b} ]]; rid 1 "t${x-1}"
