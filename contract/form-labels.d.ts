/** The labels of every form, by field: the audit log calls a changed field what its form calls it (scripts/form-labels.ts). */
declare module 'virtual:form-labels' {
  const labels: Readonly<Record<string, import('#contract/message-key.ts').MessageKey>>
  export default labels
}
