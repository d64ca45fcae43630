#shell sh
#does delete /home/dev/p/e  (by call 1)
rid 1 "$(ls d)"
