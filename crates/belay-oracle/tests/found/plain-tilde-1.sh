#shell bash
#does delete /home/dev/p/~+/t1  (by call 1)
sh -c 'command rid 1 ~+/t1'
