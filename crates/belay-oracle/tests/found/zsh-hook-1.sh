#shell zsh
#does delete /home/dev/p/d/t1  (by call 1)
chpwd() { rid 1 t1; }
(cd d)
