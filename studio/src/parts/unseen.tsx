import styles from "./unseen.module.css";

/** Words for those who listen to the page, where the eye is told by a mark or a place. */
export const Unseen = ({ children }: { children: string }) => <span className={styles.unseen}>{children}</span>;
