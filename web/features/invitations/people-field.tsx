import Download from 'lucide-react/icons/download'
import FileUp from 'lucide-react/icons/file-up'
import { type DragEvent, type RefObject, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxImportedRows } from '#contract/invitations/bulk-invitations.ts'
import type { Service } from '#contract/services/services.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import styles from './import.module.css'
import { templateAddress } from './import-template.ts'
import { type FileProblem, type GuessedEncoding, readTextFile } from './read-file.ts'
import type { ListProblem } from './read-people.ts'
import { ServiceNames } from './service-names.tsx'
import type { useImport } from './use-import.ts'

interface PeopleFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>
  list: Pick<ReturnType<typeof useImport>, 'text' | 'write' | 'problem' | 'sending'>
  services: readonly Pick<Service, 'name'>[]
}

/** The list: type it, paste it, drop a file or choose one. */
export function PeopleField({ ref, list, services }: PeopleFieldProps) {
  const { t } = useTranslation()
  const { text, write, problem, sending } = list
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [fileProblem, setFileProblem] = useState<FileProblem>()
  const [guessed, setGuessed] = useState<GuessedEncoding>()
  const [waiting, setWaiting] = useState<string>()
  const problemOf = useProblemText()

  const take = async (file: File | undefined) => {
    if (!file) return
    const read = await readTextFile(file)
    setFileProblem('problem' in read ? read.problem : undefined)
    if ('problem' in read) return
    setGuessed(read.guessed)
    if (text.trim() === '') write(read.text)
    else setWaiting(read.text)
  }
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    void take(file)
  }
  const error = fileProblem ? t(fileProblem, { max: maxImportedRows }) : problem && problemOf(problem)
  return (
    <>
      <div className={styles.sources}>
        <Button icon={FileUp} onClick={() => picker.current?.click()}>
          {t('importChooseFile')}
        </Button>
        <LinkButton
          icon={Download}
          variant="ghost"
          href={templateAddress(t, services)}
          download={`${t('importTemplateName')}.csv`}
        >
          {t('importTemplate')}
        </LinkButton>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={(event) => {
            void take(event.target.files?.[0])
            // Reset the input, so that choosing the same file again fires a change event.
            event.target.value = ''
          }}
        />
      </div>
      {/* Before the list: the keyboard goes from there to the check. */}
      <ServiceNames names={services.map(({ name }) => name)} list={list} field={ref} />
      <Field id={id} label={t('importList')} hint={t('importListHint', { max: maxImportedRows })} error={error}>
        <TextArea
          ref={ref}
          rows={10}
          mono
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          readOnly={sending}
          value={text}
          onChange={(event) => {
            setFileProblem(undefined)
            write(event.target.value)
          }}
          onDrop={drop}
        />
      </Field>
      {guessed && text.trim() !== '' && (
        <Alert tone="info" title={t('importEncodingGuessed', { encoding: guessed })} live="status">
          {exampleOf(text) ?? t('importCheckNames')}
        </Alert>
      )}
      <ConfirmDialog
        open={waiting !== undefined}
        title={t('importReplaceTitle')}
        cancelLabel={t('cancel')}
        confirmLabel={t('importReplace')}
        onCancel={() => setWaiting(undefined)}
        onConfirm={() => {
          write(waiting ?? '')
          setWaiting(undefined)
        }}
      >
        {t('importReplaceText')}
      </ConfirmDialog>
    </>
  )
}

/** A line of the list with letters that another encoding would have changed. */
const exampleOf = (text: string) => text.split(/[\r\n]+/).find((line) => /[^\t -~]/.test(line))

function useProblemText() {
  const { t } = useTranslation()
  return (problem: ListProblem) => {
    switch (problem.message) {
      case 'importTooManyRows':
        return t(problem.message, { count: problem.count, max: maxImportedRows })
      case 'importOpenQuote':
        return t(problem.message, { line: problem.line })
      default:
        return t(problem.message, { max: maxImportedRows })
    }
  }
}
