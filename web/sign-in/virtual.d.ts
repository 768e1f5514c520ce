// Made by scripts/public-texts.ts.
declare module 'virtual:public-texts/*' {
  const texts: Readonly<Record<import('./text-keys.ts').TextKey, string>>
  export default texts
}
