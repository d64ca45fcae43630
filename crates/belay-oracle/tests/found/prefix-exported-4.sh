#shell bash
#does delete /home/dev/p/c  (by call 1)
x=a; echo 'x=c; declare -r x' > o1; x=b . ./o1; rid 1 "$x"
