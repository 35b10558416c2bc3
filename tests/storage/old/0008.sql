BEGIN TRANSACTION;
CREATE TABLE amendments (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	space TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_amendments PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_amendments_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE comparisons (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	winner TEXT NOT NULL, 
	loser TEXT NOT NULL, 
	tie BOOLEAN NOT NULL, 
	context TEXT NOT NULL, 
	winner_proposal TEXT, 
	loser_proposal TEXT, 
	CONSTRAINT pk_comparisons PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_comparisons_study_id_loser_proposal FOREIGN KEY(study_id, loser_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_comparisons_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_comparisons_study_id_winner_proposal FOREIGN KEY(study_id, winner_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "comparisons" VALUES(1,11,'{"lifting": 38.50704755017371, "mode": "stiff"}','{"lifting": 20.0, "mode": "soft"}',0,'{}','p1','p2');
CREATE TABLE constraints (
	study_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	at_least DOUBLE, 
	at_most DOUBLE, answer TEXT, levels INTEGER, cost DOUBLE, 
	CONSTRAINT pk_constraints PRIMARY KEY (study_id, position), 
	CONSTRAINT fk_constraints_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_grants (
	token_id TEXT NOT NULL, 
	study_id INTEGER NOT NULL, 
	role TEXT NOT NULL, 
	CONSTRAINT pk_counsel_grants PRIMARY KEY (token_id, study_id), 
	CONSTRAINT fk_counsel_grants_token_id FOREIGN KEY(token_id) REFERENCES counsel_tokens (id) ON DELETE CASCADE, 
	CONSTRAINT fk_counsel_grants_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT counsel_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "counsel_schema" VALUES('0008');
CREATE TABLE counsel_tokens (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	expires DATETIME, 
	revoked DATETIME, 
	CONSTRAINT pk_counsel_tokens PRIMARY KEY (id)
);
CREATE TABLE creations (
	request TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	study_id INTEGER NOT NULL, 
	CONSTRAINT pk_creations PRIMARY KEY (request), 
	CONSTRAINT fk_creations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE decisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	decision TEXT NOT NULL, 
	point TEXT, 
	reason TEXT NOT NULL, radius DOUBLE, 
	CONSTRAINT pk_decisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_decisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_decisions_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "decisions" VALUES(1,2,'p1','accept',NULL,'fine',NULL);
INSERT INTO "decisions" VALUES(1,5,'p2','override','{"lifting": 20.0, "mode": "soft"}','too stiff',NULL);
INSERT INTO "decisions" VALUES(1,8,'p3','reject',NULL,'unsafe',0.05);
CREATE TABLE explanation_parts (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	term TEXT NOT NULL, 
	parameter TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, 
	error DOUBLE NOT NULL, 
	CONSTRAINT pk_explanation_parts PRIMARY KEY (study_id, number, term, parameter), 
	CONSTRAINT fk_explanation_parts_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_parts" VALUES(1,1,'exploitation','lifting',0,0.25,0.0);
INSERT INTO "explanation_parts" VALUES(1,1,'exploitation','mode',1,-0.5,0.0);
CREATE TABLE explanation_terms (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	term TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	method TEXT NOT NULL, 
	base DOUBLE NOT NULL, 
	total DOUBLE NOT NULL, 
	CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term), 
	CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_terms" VALUES(1,1,'exploitation',0,'exact',1.0,0.75);
CREATE TABLE explanations (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	proposal TEXT, 
	actor TEXT NOT NULL, 
	time DATETIME NOT NULL, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	background TEXT NOT NULL, 
	evaluations BIGINT NOT NULL, 
	note TEXT NOT NULL, 
	CONSTRAINT pk_explanations PRIMARY KEY (study_id, number), 
	CONSTRAINT fk_explanations_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_explanations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
INSERT INTO "explanations" VALUES(1,1,NULL,'ann','2026-11-17 09:28:49.861266','{"lifting": 20.0, "mode": "soft"}','{}','the whole space',4,'');
CREATE TABLE facts (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	actor TEXT, 
	time DATETIME NOT NULL, 
	request TEXT NOT NULL, 
	digest TEXT NOT NULL, link TEXT, 
	CONSTRAINT pk_facts PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_facts_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_facts_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE, 
	CONSTRAINT uq_facts_study_id_id UNIQUE (study_id, id), 
	CONSTRAINT uq_facts_study_id_request UNIQUE (study_id, request)
);
INSERT INTO "facts" VALUES(1,1,'p1','proposal',NULL,'2026-11-17 09:28:49.612729','e3681b7a49484c84b80276e508812dab','3760799867a0d65c68649c187474dd4d','33954649af2425bc80f08f752e281fa5b5befcf81e6e29809af36a87ca3f0c61');
INSERT INTO "facts" VALUES(1,2,'d1','decision','ann','2026-11-17 09:28:49.648585','154da32b19d64836aac4e4fe0b36888e','86ffe542c6fa79d9a20c31ae48164756','ca81552f6f9c848fead817aa63fc046dd32af5890c2047af3779e74e92dbc3c3');
INSERT INTO "facts" VALUES(1,3,'o1','observation','ann','2026-11-17 09:28:49.679909','a96f128434de484684a577f9bd70ff23','144d73259b8dd6b119718a9caaa4f2ac','e81193716c2c72481bec7aa3bc0361677fecd86380da92310eb015d57dcaeb5f');
INSERT INTO "facts" VALUES(1,4,'p2','proposal',NULL,'2026-11-17 09:28:49.702720','142b43080ad34292aa96e72667217ac7','3760799867a0d65c68649c187474dd4d','bd7675bda69cb80cc7b9e06c4544fb95a818a5443b24b3de8bdd1a3ce7a8510b');
INSERT INTO "facts" VALUES(1,5,'d2','decision','bob','2026-11-17 09:28:49.711975','7882bd3421ba43e4988df7b9a3b22e16','b74ce981d291bc49cb142f1cf0a5d227','7d21250040f821caf5b9e64097d53bec9d751f8c34d1c9eaaef3312b7c579603');
INSERT INTO "facts" VALUES(1,6,'o2','observation','bob','2026-11-17 09:28:49.721907','1b99def1a5044ebd886d7f073330c823','1ac443a8425cd3b474a66dcd8a67b30e','52b848bb85c09ed3c1767573d7aac4287ada85cf1ebe763da90f8dc60743172a');
INSERT INTO "facts" VALUES(1,7,'p3','proposal',NULL,'2026-11-17 09:28:49.741583','a74cddb13cdf418992cbead97ae0fff6','3760799867a0d65c68649c187474dd4d','3cfacc0d30446ec76fe188246e38a86266dc5f56f0661a6a1d7184f778eabbf4');
INSERT INTO "facts" VALUES(1,8,'d3','decision','ann','2026-11-17 09:28:49.759888','824e5dc7e80443adaf9444271df5e8d3','291fd98d41e83154ffbb2a62f70548c1','9bc631216f3d7270910a0574d1bf71f90b38b958b43f9eca8fa54c705ddb0c01');
INSERT INTO "facts" VALUES(1,9,'p4','proposal',NULL,'2026-11-17 09:28:49.781720','002454be0cce40d39c6726ef5400d02b','3760799867a0d65c68649c187474dd4d','04f9ce78044302bfd85f92b8b83678214606bb62d2627e06a16307320ef9eb06');
INSERT INTO "facts" VALUES(1,10,'o3','observation','bob','2026-11-17 09:28:49.800560','13456746cc3d412e8ada8e55e47e9a04','6526ad3cc0c6b56e75398ecdd6727ac2','68209df675b28992bff04566253ea7ca6bf598837b76d3e7688983d1994fe3ba');
INSERT INTO "facts" VALUES(1,11,'c1','comparison','ann','2026-11-17 09:28:49.818399','5b5d95bdd25b406492637cad310e81c0','bd0332e1d7ebd5699e794c827590e521','fa8c826af77772704b6ceb33ad728bd4a55e9138a87daceac936bfec484c1d8d');
INSERT INTO "facts" VALUES(1,12,'r1','revision','ann','2026-11-17 09:28:49.838465','9a6fca2b8fcb4fc9bb674480194d29f2','7fedf0dd64e05688c2e4ea2aca0d435e','c753d3946e74b65ef51f149309667f9b5038082c90105d3a2848c30fa41cce6d');
INSERT INTO "facts" VALUES(1,13,'w1','withdrawal','bob','2026-11-17 09:28:49.861266','0595bc335f854b62afd189808b8d4616','8bae379bcadf8bddd2fa8e5613c2e1e9','e324ccf567f76a328d1d047fa104d87b42cc0ba59732bf8d40ee46a314ec9dc1');
CREATE TABLE failures (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_failures PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_failures_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_failures_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE leases (
	study_id INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (study_id, proposal), 
	CONSTRAINT fk_leases_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_leases_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "leases" VALUES(1,'p4','ann','2026-11-17 09:29:49.880168');
CREATE TABLE observations (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, label TEXT, 
	CONSTRAINT pk_observations PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_observations_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_observations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "observations" VALUES(1,3,'p1','{"lifting": 38.50704755017371, "mode": "stiff"}','{}',NULL);
INSERT INTO "observations" VALUES(1,6,'p2','{"lifting": 20.0, "mode": "soft"}','{}',NULL);
INSERT INTO "observations" VALUES(1,10,NULL,'{"lifting": 3.0, "mode": "stiff"}','{}',NULL);
CREATE TABLE outcomes (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, sem DOUBLE, 
	CONSTRAINT pk_outcomes PRIMARY KEY (study_id, place, name), 
	CONSTRAINT fk_outcomes_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "outcomes" VALUES(1,3,'comfort',0,1.0,NULL);
INSERT INTO "outcomes" VALUES(1,6,'comfort',0,2.0,NULL);
INSERT INTO "outcomes" VALUES(1,10,'comfort',0,0.5,NULL);
INSERT INTO "outcomes" VALUES(1,12,'comfort',0,1.5,NULL);
CREATE TABLE people (
	name TEXT NOT NULL, 
	since DATETIME NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('ann','2026-11-17 09:28:49.648585');
INSERT INTO "people" VALUES('bob','2026-11-17 09:28:49.711975');
CREATE TABLE proposals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	asks TEXT NOT NULL, 
	mean DOUBLE, 
	sd DOUBLE, 
	terms TEXT NOT NULL, 
	policy TEXT NOT NULL, 
	theta TEXT NOT NULL, 
	seen INTEGER NOT NULL, 
	note TEXT NOT NULL, chances TEXT DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_proposals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT uq_proposals_study_id_round UNIQUE (study_id, round)
);
INSERT INTO "proposals" VALUES(1,1,1,'{"lifting": 38.50704755017371, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',0,'','{}');
INSERT INTO "proposals" VALUES(1,4,2,'{"lifting": 13.89851410967905, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',3,'','{}');
INSERT INTO "proposals" VALUES(1,7,3,'{"lifting": 48.75167768597507, "mode": "soft"}','{}','[]',NULL,NULL,'{}','random','[]',6,'','{}');
INSERT INTO "proposals" VALUES(1,9,4,'{"lifting": 10.22342622200265, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',8,'','{}');
CREATE TABLE revisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	observation TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_revisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_revisions_study_id_observation FOREIGN KEY(study_id, observation) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_revisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "revisions" VALUES(1,12,'o1','read the wrong line');
CREATE TABLE studies (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name TEXT NOT NULL, 
	objective TEXT NOT NULL, 
	direction TEXT NOT NULL, 
	space TEXT NOT NULL, 
	policy_name TEXT NOT NULL, 
	policy TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	created DATETIME NOT NULL, seal TEXT, 
	CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'kept','comfort','maximize','{"type": "space", "parameters": [{"name": "lifting", "type": "float", "low": 0.0, "high": 50.0, "log": false}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}','random','{"tag": "random", "settings": {"name": "random"}}',7,'2026-11-17 09:28:49.585752','534a70b71a9d2d1a48e76f22f96e5ddf4d52a393433230d7823bafc087f84919');
CREATE TABLE withdrawals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	fact TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_withdrawals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_withdrawals_study_id_fact FOREIGN KEY(study_id, fact) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_withdrawals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "withdrawals" VALUES(1,13,'o3','');
CREATE INDEX ix_decisions_study_id_proposal ON decisions (study_id, proposal);
CREATE INDEX ix_observations_study_id_proposal ON observations (study_id, proposal);
CREATE INDEX ix_comparisons_study_id_winner_proposal ON comparisons (study_id, winner_proposal);
CREATE INDEX ix_comparisons_study_id_loser_proposal ON comparisons (study_id, loser_proposal);
CREATE INDEX ix_revisions_study_id_observation ON revisions (study_id, observation);
CREATE INDEX ix_withdrawals_study_id_fact ON withdrawals (study_id, fact);
CREATE INDEX ix_explanations_study_id_proposal ON explanations (study_id, proposal);
CREATE INDEX ix_failures_study_id_proposal ON failures (study_id, proposal);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('studies',1);
COMMIT;
