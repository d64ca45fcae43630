#shell bash
#does delete /home/dev/p/.t1  (by call 1)
readonly x="$x"
x="$()" y=~/s
rid 1 "$y".t1
