#shell zsh
#does delete /home/dev/p/t1  (by call 1)
OLDPWD=d; cd -; rid 1 t1
