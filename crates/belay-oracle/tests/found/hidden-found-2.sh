#shell bash
#does delete /home/dev/p/.h  (by call 1)
touch .h; GLOBIGNORE=zz; rid 1 *h
