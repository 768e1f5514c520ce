import { type Module, modulesOf } from './module.ts'

/** AuthZEN asks whether somebody may do something. The portal answers no such question yet. */
const notYet = (prefix: string, names: string): Module[] =>
  modulesOf(
    Object.fromEntries(
      names
        .trim()
        .split(/\s+/)
        .map((name) => [`${prefix}-${name}`, { demands: '', notYet: 'decisions do not exist' }]),
    ),
  )

/** The alpha plan for single decisions. */
export const evaluation = notYet(
  'authzen-pdp-evaluation',
  `fixture-request-permit-decision fixture-request-deny-decision request-with-optional-context request-with-additional-properties
  fixture-request-deny-based-on-properties fixture-request-permit-based-on-subject-properties
  fixture-request-permit-based-on-action-properties fixture-request-deny-based-on-action-properties missing-subject missing-action
  missing-resource subject-missing-type subject-missing-id action-missing-name resource-missing-type resource-missing-id
  subject-is-string action-name-is-number x-request-id-echoed idempotency unknown-top-level-fields-ignored
  unknown-subject-fields-ignored unknown-resource-fields-ignored unknown-action-fields-ignored reject-get-method
  reject-put-method reject-top-level-array reject-non-json-content-type accept-content-type-with-charset reject-malformed-json
  reject-empty-body missing-credentials-returns-401 invalid-credentials-returns-401`,
)

/** The alpha plan for several decisions at once. */
export const evaluations = notYet(
  'authzen-pdp-evaluations',
  `batch-request-with-evaluations-array batch-with-fixture-decisions-validated batch-with-fully-specified-evaluations
  batch-with-context-inheritance evaluation-level-errors default-semantic-is-execute-all execute-all-explicit
  deny-on-first-deny permit-on-first-permit unknown-semantic-value per-eval-overrides-default
  missing-subject-returns-decision-false missing-evaluations-array-backward-compat empty-evaluations-array-backward-compat
  unknown-top-level-fields-ignored x-request-id-echoed idempotency reject-get-method reject-put-method reject-top-level-array
  reject-non-json-content-type accept-content-type-with-charset reject-malformed-json reject-empty-body
  batch-with-properties-validated batch-with-subject-properties-validated batch-with-default-value-merging`,
)
