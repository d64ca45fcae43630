#shell bash
#does delete /home/dev/p/.t3  (by call 3)
set <()
rid 3 $1.t3 
