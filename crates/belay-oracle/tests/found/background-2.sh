#shell bash
#does delete /home/dev/p/b  (by call 1)
rid 1 "$(cd &echo b ||echo a)"
