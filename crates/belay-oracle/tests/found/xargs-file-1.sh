#shell bash
#does delete /tmp/k  (by call 1)
find d -maxdepth 1 | xargs -a l rid 1
