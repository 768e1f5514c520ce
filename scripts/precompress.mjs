// After the build: writes a .br and a .gz beside every static text file, at the highest compression level.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const web = new URL('../dist/web/', import.meta.url)
const folders = [web, new URL('assets/', web)]
const compressible = /\.(js|css|svg|json)$/
let before = 0
let after = 0

for (const folder of folders) {
  for (const name of readdirSync(folder)) {
    const file = new URL(name, folder)
    if (!compressible.test(name) || !statSync(file).isFile()) continue
    const content = readFileSync(file)
    const brotli = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    })
    writeFileSync(`${file.pathname}.br`, brotli)
    writeFileSync(`${file.pathname}.gz`, gzipSync(content, { level: 9 }))
    before += content.length
    after += brotli.length
  }
}
console.log(`compressed: ${Math.round(before / 1024)} KB to ${Math.round(after / 1024)} KB with brotli`)
