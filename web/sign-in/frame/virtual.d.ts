// Made by scripts/public-texts.ts.
declare module 'virtual:public-texts/*' {
  const texts: Readonly<Record<import('./text-keys.ts').TextKey, string>>
  export default texts
}
declare module 'virtual:policy-texts/*' {
  const texts: Readonly<Record<import('./policy-text-keys.ts').PolicyTextKey, string>>
  export default texts
}
declare module 'virtual:bankid-texts/*' {
  const texts: Readonly<Record<import('./text-keys.ts').BankIdTextKey, string>>
  export default texts
}
declare module 'virtual:setup-texts/*' {
  const texts: Readonly<Record<import('./setup-text-keys.ts').SetupTextKey, string>>
  export default texts
}
