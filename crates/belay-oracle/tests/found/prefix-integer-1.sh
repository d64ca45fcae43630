#shell bash
#does delete /home/dev/s/t1  (by call 1)
declare -i y=a
y=~/s sh -c 'rid 1 "$y"/t1'
