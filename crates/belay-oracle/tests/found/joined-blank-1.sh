#shell bash
#does delete /home/dev/p/a b  (by call 1)
IFS=; A=(a b); x=${A[@]}; rid 1 "$x"
