// The public interface of this room: what the start of the app tells of notices.
import * as repository from './notices.repository.ts'

/** The notices of a day, for everyone and for these organisations, the latest first. */
export const listCurrentNotices = repository.listCurrentNotices
