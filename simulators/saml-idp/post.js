document.getElementById('answer').submit()
