// The public interface of this room: the history of a thing, for its dialog.
export { useFormAndHistory } from './use-form-and-history.tsx'
export { useHistoryTab } from './use-history-tab.tsx'
