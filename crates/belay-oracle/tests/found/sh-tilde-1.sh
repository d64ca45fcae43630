#shell sh
#does delete /home/dev/p/~+  (by call 1)
rid 1 ~+
