#shell bash
#does delete /home/dev/p/3  (by call 1)
x=a; x=b let x=3; rid 1 "$x"
