import { useQueryClient } from '@tanstack/react-query'
import { profile } from '#contract/profile/profile.ts'
import type { Language } from '#contract/roles.ts'
import { type CurrentUser, session } from '#contract/session/session.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { messageText, switchLanguage } from '#web/lib/texts/i18n.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'

/**
 * The one place where the language of the page changes. False, with a toast, when its texts cannot be loaded; false also
 * when another language was chosen meanwhile.
 */
export async function chooseLanguage(language: Language): Promise<boolean> {
  try {
    return await switchLanguage(language)
  } catch {
    toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') })
    return false
  }
}

/** Changes the language of the page and saves it as the person's own, for other devices and for mail. */
export function useOwnLanguage(): (language: Language) => void {
  const client = useQueryClient()
  const { mutate } = useSave(profile.update)
  const choose = async (language: Language) => {
    if (!(await chooseLanguage(language))) return
    const me = query(session.me)
    const present = client.getQueryData<CurrentUser>(me.queryKey)
    // Until the password is changed the server saves nothing else; the page still changes its language.
    if (!present || present.passwordMustChange || present.mustEnrol || present.preferredLanguage === language) return
    // First, so that an earlier answer does not reset the language.
    void client.cancelQueries({ queryKey: me.queryKey })
    client.setQueryData<CurrentUser>(me.queryKey, { ...present, preferredLanguage: language })
    // Not saved: the page goes back to the saved language.
    const onError = () => void client.invalidateQueries({ queryKey: me.queryKey })
    mutate({ input: { preferredLanguage: language } }, { onError })
  }
  return (language) => void choose(language)
}
