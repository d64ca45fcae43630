#shell sh
#does delete /home/dev  (by call 2)
rid 2 .*
