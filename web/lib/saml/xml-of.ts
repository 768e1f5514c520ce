import { decodeXml } from '#contract/saml-configs/xml-text.ts'

/** The text of a chosen file; empty where it cannot be read. */
export async function xmlOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => new ArrayBuffer())
  try {
    return decodeXml(new Uint8Array(bytes))
  } catch {
    return ''
  }
}
