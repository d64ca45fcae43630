#shell bash
#does delete /home/dev/p/2  (by call 1)
x=a; printf '%s%n' ab x; rid 1 "$x"
