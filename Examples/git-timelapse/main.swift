print("git-timelapse")
