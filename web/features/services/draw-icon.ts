/** Pixels: sharp at 40 CSS pixels on every screen, and about 10 KB. */
const side = 128
/** Bytes of the chosen file; an icon that is larger is no icon. */
const maxFile = 1024 * 1024

/**
 * Draws an SVG or PNG file as a square PNG. The browser of the person who chose it does the work, where an image can run
 * no script and load nothing; the server only ever reads a PNG.
 *
 * @returns a `data:` address
 * @throws when the browser cannot draw it
 */
export async function drawIcon(file: Blob): Promise<string> {
  if (file.size > maxFile) throw new Error('the file is too large')
  const image = new Image()
  image.src = await readAsAddress(file)
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const scale = side / Math.max(width, height)
  const context = new OffscreenCanvas(side, side).getContext('2d')
  if (!context || !Number.isFinite(scale)) throw new Error('the image has no size')
  const [wide, high] = [width * scale, height * scale]
  context.drawImage(image, (side - wide) / 2, (side - high) / 2, wide, high)
  return readAsAddress(await context.canvas.convertToBlob({ type: 'image/png' }))
}

const readAsAddress = (file: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
