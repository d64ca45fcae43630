#shell bash
#does delete /home/dev/p/a b  (by call 2)
let n+=1 'm=n*2'
rid 2 "$n"
