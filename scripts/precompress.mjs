// After the build: writes a .br and a .gz beside every static text file, at the highest compression level.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const web = join(import.meta.dirname, '../dist/web')
const folders = [web, join(web, 'assets')]
const compressible = /\.(js|css|svg|json)$/
let before = 0
let after = 0

for (const folder of folders) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (!compressible.test(name) || !statSync(file).isFile()) continue
    const content = readFileSync(file)
    const brotli = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    })
    writeFileSync(`${file}.br`, brotli)
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    before += content.length
    after += brotli.length
  }
}
console.log(`compressed: ${Math.round(before / 1024)} KB to ${Math.round(after / 1024)} KB with brotli`)
