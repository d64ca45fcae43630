#shell bash
#does delete /home/dev/p/.t1  (by call 1)
. /dev/stdin <<< 'read x; rid 1 "${x##*/}".t1 d/e'
