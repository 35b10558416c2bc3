BEGIN TRANSACTION;
CREATE TABLE amendments (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	space TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_amendments PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_amendments_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE archivals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	archived BOOLEAN NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_archivals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_archivals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE claims (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	better TEXT NOT NULL, 
	worse TEXT NOT NULL, 
	context TEXT NOT NULL, 
	better_proposal TEXT, 
	worse_proposal TEXT, 
	CONSTRAINT pk_claims PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_claims_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_claims_study_id_better_proposal FOREIGN KEY(study_id, better_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_claims_study_id_worse_proposal FOREIGN KEY(study_id, worse_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
CREATE TABLE comments (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	fact TEXT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_comments PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_comments_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_comments_study_id_fact FOREIGN KEY(study_id, fact) REFERENCES facts (study_id, id) ON DELETE CASCADE
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
INSERT INTO "counsel_schema" VALUES('0013');
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
	total DOUBLE NOT NULL, log_weight DOUBLE DEFAULT '0' NOT NULL, interactions TEXT, 
	CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term), 
	CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_terms" VALUES(1,1,'exploitation',0,'exact',1.0,0.75,0.0,NULL);
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
	note TEXT NOT NULL, instead_of TEXT, gaps BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_explanations PRIMARY KEY (study_id, number), 
	CONSTRAINT fk_explanations_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_explanations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
INSERT INTO "explanations" VALUES(1,1,NULL,'ann','2026-11-17 14:43:50.797999','{"lifting": 20.0, "mode": "soft"}','{}','the whole space',4,'',NULL,0);
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
INSERT INTO "facts" VALUES(1,1,'p1','proposal',NULL,'2026-11-17 14:43:50.549856','127d7c2c5e12467ba1a1f687e9a44518','','517049a4a428e8dcec7503784c2a728ef2cbcc91bb3f0b6bcc5f485d1b42e41c');
INSERT INTO "facts" VALUES(1,2,'d1','decision','ann','2026-11-17 14:43:50.579138','413bdff334c846099a45fa7443da2ca4','','1794122505219d41e171542a8b40f5b3b4a4941752a87fa335c95c6d96210cd5');
INSERT INTO "facts" VALUES(1,3,'o1','observation','ann','2026-11-17 14:43:50.606261','05842db470364729b4f2b3ffb1f4b84f','','e2f1e142c6260cd1f44a3e313add223788223d11c0e66825798ce3620ee27d12');
INSERT INTO "facts" VALUES(1,4,'p2','proposal',NULL,'2026-11-17 14:43:50.640242','38423d3daad9496fbb13368f6e5c9a6f','','96fd8da3b6fae58cc01480eb7a235622cc4dc8f3b71b680e61ef33b3f31c6bef');
INSERT INTO "facts" VALUES(1,5,'d2','decision','bob','2026-11-17 14:43:50.662119','d02cece3751d49a0a3bb324af9534411','','48635a4487cb1ed5b3856bab0fad13d7bced2b6061feeb8ff060a90ea2fd6440');
INSERT INTO "facts" VALUES(1,6,'o2','observation','bob','2026-11-17 14:43:50.679520','3dbf86d862784eee839d777bf43076c5','','5d5205bcf82e0b10998cd564288ff73086cb581860b81a005fec55ee115c2aa4');
INSERT INTO "facts" VALUES(1,7,'p3','proposal',NULL,'2026-11-17 14:43:50.690750','74627f6ba30742888a4e62e7ac663740','','3352d2cce534b50171f4a5122c6b0b6a34b08fcbb350b8f898db89d31fc7ff36');
INSERT INTO "facts" VALUES(1,8,'d3','decision','ann','2026-11-17 14:43:50.710506','df37984e0cee44b2a9ae57474d4eb551','','38a86e0c56a14e880f668fd9f7af65c93099835a80d039b20d48fcc8eb1165e8');
INSERT INTO "facts" VALUES(1,9,'p4','proposal',NULL,'2026-11-17 14:43:50.723545','dbd99883e99a46e6b43295de171b52eb','','816e73ad1a772f4398d6379ce50911c03d92ad5ba985616bdd7a2f55f1fc3fb2');
INSERT INTO "facts" VALUES(1,10,'o3','observation','bob','2026-11-17 14:43:50.739903','6b57a02c69f5416f933fc5417732d7e0','','f8aa6445e8e8de4f92225ef27e0d9b3be1af8967e8fa3c84c73421fe4d019889');
INSERT INTO "facts" VALUES(1,11,'c1','comparison','ann','2026-11-17 14:43:50.756571','e6c019be591c4ad28e6484d56b714d4c','','1a972383ee87e4799242f87394d14ff198be029010ea646e91849691156faab3');
INSERT INTO "facts" VALUES(1,12,'r1','revision','ann','2026-11-17 14:43:50.782197','2b380a6fc39f4a889a9e484b6ccf24f3','','93385afe262c4025c2e319901f3c286e59ed1ea8511bd878c50417285fb99deb');
INSERT INTO "facts" VALUES(1,13,'w1','withdrawal','bob','2026-11-17 14:43:50.797999','fe677b6d22ca4ca5be7b8cf011ec6162','','6b1dbb10f8cc5c2b9acdf4475f1f31edb77b9fdc5eb75e23a75a46c0df0f0e3d');
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
INSERT INTO "leases" VALUES(1,'p4','ann','2026-11-17 14:44:50.815660');
CREATE TABLE objectives (
	study_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	direction TEXT NOT NULL, 
	weight DOUBLE NOT NULL, 
	at_least DOUBLE, 
	at_most DOUBLE, 
	CONSTRAINT pk_objectives PRIMARY KEY (study_id, position), 
	CONSTRAINT fk_objectives_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
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
INSERT INTO "people" VALUES('ann','2026-11-17 14:43:50.579138');
INSERT INTO "people" VALUES('bob','2026-11-17 14:43:50.662119');
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
	note TEXT NOT NULL, chances TEXT DEFAULT '{}' NOT NULL, limit_of_mean DOUBLE, 
	CONSTRAINT pk_proposals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_proposals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT uq_proposals_study_id_round UNIQUE (study_id, round)
);
INSERT INTO "proposals" VALUES(1,1,1,'{"lifting": 38.50704755017371, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',0,'','{}',NULL);
INSERT INTO "proposals" VALUES(1,4,2,'{"lifting": 13.89851410967905, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',3,'','{}',NULL);
INSERT INTO "proposals" VALUES(1,7,3,'{"lifting": 48.75167768597507, "mode": "soft"}','{}','[]',NULL,NULL,'{}','random','[]',6,'','{}',NULL);
INSERT INTO "proposals" VALUES(1,9,4,'{"lifting": 10.22342622200265, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',8,'','{}',NULL);
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
	created DATETIME NOT NULL, seal TEXT, tradeoff TEXT, team TEXT, 
	CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'kept','comfort','maximize','{"type": "space", "parameters": [{"name": "lifting", "type": "float", "low": 0.0, "high": 50.0, "log": false}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}','random','{"tag": "random", "settings": {"name": "random"}}',7,'2026-11-17 14:43:50.509628','944ed8b6e01933473d3a54761c913705eb70c3b5e543a916145176fe7a6a84c9',NULL,NULL);
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
CREATE INDEX ix_claims_study_id_better_proposal ON claims (study_id, better_proposal);
CREATE INDEX ix_claims_study_id_worse_proposal ON claims (study_id, worse_proposal);
CREATE INDEX ix_comments_study_id_fact ON comments (study_id, fact);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('studies',1);
COMMIT;
