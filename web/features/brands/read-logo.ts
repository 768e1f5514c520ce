import { maxLogoBytes } from '#contract/brands/brand-form.ts'

/** The box in which a logo is shown, in pixels of the sharpest screens. */
const box = { width: 720, height: 120 }
/** Bytes of the chosen file; an image that is larger is no logo. */
const maxFile = 4 * 1024 * 1024

/**
 * Reads a logo. The browser of the person who chose it scales a larger one down, so that nobody has to own a drawing program.
 *
 * @returns a `data:` address
 * @throws when the browser cannot draw it
 */
export async function readLogo(file: Blob): Promise<string> {
  if (file.size > maxFile) throw new Error('the file is too large')
  const own = await readAsAddress(file)
  const image = new Image()
  image.src = own
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const scale = Math.min(1, box.width / width, box.height / height)
  if (scale === 1 && file.size <= maxLogoBytes) return own
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser cannot draw')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return readAsAddress(await canvas.convertToBlob({ type: 'image/png' }))
}

const readAsAddress = (file: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
