#shell zsh
#does delete /home/dev/p/t1  (by call 1)
{ } ; if true; then else fi; ; rid 1 t1
